import {
  mailContract,
  paypalConnectionContract,
  paypalContract,
  setupContract,
  type SetupGuide,
  setupOperations,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';
import { isExampleAddress } from './example-address.js';

type Step = Omit<SetupGuide['steps'][number], 'step' | 'postponed'>;

/** What a new site still needs. Each service reports its own part. */
@Serves(setupOperations)
export class SetupController {
  constructor(private readonly rpc: RpcClient) {}

  async getSetupGuide(_: object, { caller }: Context): Promise<SetupGuide> {
    const [content, [paypal], { product }, mail] = await Promise.all([
      this.rpc.call(setupContract.contentSetup, {}, caller),
      this.rpc.call(paypalContract.listPaypalEmail, {}, caller),
      this.rpc.call(paypalConnectionContract.paypalProduct, {}, caller),
      this.rpc.call(mailContract.getMailStatus, {}, caller),
    ]);
    const { siteName, logo, ...later } = content.steps;
    const steps: Record<SetupGuide['steps'][number]['step'], Step> = {
      siteName,
      logo,
      paypalEmail: {
        // PayPal Checkout does not use the address.
        state: product === 'checkout' ? 'done' : stateOf(paypal?.paypalEmail),
        section: null,
        recordId: paypal?._id ?? null,
      },
      ...later,
      mailSender: { state: stateOf(mail.from), section: null, recordId: null },
    };
    return {
      steps: Object.entries(steps).map(([step, facts]) => {
        const name = step as keyof typeof steps;
        return { step: name, ...facts, postponed: content.postponed.includes(name) };
      }),
      demoRecords: content.demoRecords,
    };
  }
}

function stateOf(address: string | null | undefined): Step['state'] {
  if (!address) return 'missing';
  return isExampleAddress(address) ? 'demo' : 'done';
}
