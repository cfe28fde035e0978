import {
  type CallInput,
  type Campaign,
  type CampaignContent,
  campaignContract,
  type Contract,
} from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { MailHarness } from './mail.harness.js';

const sampleContent = {
  preheader: 'What is new in November',
  body: '# News\n\nHello **you**. [Read on](https://northrank.example/pricing).\n\n- one\n- two',
};

export class CampaignHarness {
  private constructor(
    readonly messaging: MailHarness,
    readonly client: RpcClient,
  ) {}

  static async open(): Promise<CampaignHarness> {
    const messaging = await MailHarness.open();
    const client = new RpcClient({ redisUrl: messaging.redisUrl, caller: 'test' });
    await client.connect();
    return new CampaignHarness(messaging, client);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.messaging.close();
  }

  call<C extends Contract>(contract: C, input: CallInput<C>) {
    return this.client.call(contract, input, { actor: actors.admin });
  }

  /** Adds the addresses `<label>-<number>@example.com`; returns the ids in the order of the numbers. */
  async subscribe(label: string, count: number, status = 'subscribed'): Promise<string[]> {
    const { rows } = await this.messaging.sql.query<{ id: string }>(
      `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at, status)
       SELECT gen_random_uuid(), address, address, 1, now(), now(), $3
       FROM (SELECT $1 || '-' || number || '@example.com' AS address FROM generate_series(1, $2) AS number) AS addresses
       RETURNING id`,
      [label, count, status],
    );
    return rows.map(({ id }) => id);
  }

  async deleteSubscribers(): Promise<void> {
    await this.messaging.sql.query('DELETE FROM subscribers');
  }

  draft(content: Partial<CampaignContent> = {}): Promise<Campaign> {
    return this.call(campaignContract.createCampaign, { subject: 'November', ...sampleContent, ...content });
  }

  async send(content: Partial<CampaignContent> = {}): Promise<string> {
    const { _id: id } = await this.draft(content);
    await this.call(campaignContract.sendCampaign, { id });
    return id;
  }

  campaign(id: string): Promise<Campaign> {
    return this.call(campaignContract.getCampaign, { id });
  }

  untilState(id: string, state: Campaign['state'], timeoutMs = 60_000): Promise<Campaign> {
    return eventually(
      async () => {
        const campaign = await this.campaign(id);
        if (campaign.state !== state)
          throw new Error(`The campaign is ${campaign.state}: ${JSON.stringify(campaign.counts)}`);
        return campaign;
      },
      { timeoutMs, intervalMs: 100 },
    );
  }

  /** The addresses of `label` at which mails have arrived. An address that has got two mails is listed twice. */
  async arrivals(label: string): Promise<string[]> {
    return (await this.messaging.mail.list({ to: `${label}-` })).map(({ to }) => to);
  }
}
