import { newAccountId } from './identifiers.js';
import type { Merchant } from './model.js';
import { Refusal } from './refusal.js';

export type MerchantProfile = { email: string } & Partial<Omit<Merchant, 'id'>>;

const maxMerchants = 2_000;
const emailPattern = /^[^\s@<>(),;:"[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export const isEmail = (text: string) => text.length <= 127 && emailPattern.test(text);

/** Addresses are stored and compared in lower case. */
export class Merchants {
  private readonly byId = new Map<string, Merchant>();
  private readonly byEmail = new Map<string, Merchant>();

  /** If `pdtToken` is not null, PDT is on for every new merchant. */
  constructor(
    private readonly pdtToken: string | null,
    private readonly changed: () => void,
  ) {}

  get all(): Merchant[] {
    return [...this.byId.values()];
  }

  get(id: string): Merchant {
    const merchant = this.byId.get(id);
    if (!merchant) throw new Refusal(404, 'There is no such account.');
    return merchant;
  }

  /**
   * `business`, a field of the shop's form, is the id of a merchant or an e-mail address. Creates a merchant for an unknown address. At the real
   * PayPal, a payment to such an address would be pending.
   */
  findOrCreate(business: string): Merchant | undefined {
    const known = this.byId.get(business) ?? this.byEmail.get(business.toLowerCase());
    return known ?? (isEmail(business) ? this.createOrUpdate({ email: business }) : undefined);
  }

  createOrUpdate({ email, otherEmails, ...profile }: MerchantProfile): Merchant {
    const address = email.toLowerCase();
    const others = otherEmails?.map((other) => other.toLowerCase());
    const known = this.byEmail.get(address);
    for (const other of others ?? []) {
      const owner = this.byEmail.get(other);
      if (owner && owner !== known) {
        throw new Refusal(409, `${other} belongs to another account.`, 'otherEmails');
      }
    }
    const merchant = known ?? this.create(address);
    Object.assign(
      merchant,
      profile,
      others && { otherEmails: others.filter((other) => other !== merchant.email) },
    );
    this.rebuildEmailIndex();
    this.changed();
    return merchant;
  }

  restore(merchants: Merchant[]): void {
    for (const merchant of merchants) this.byId.set(merchant.id, merchant);
    this.rebuildEmailIndex();
  }

  private create(email: string): Merchant {
    if (this.byId.size >= maxMerchants)
      throw new Refusal(403, 'There are too many accounts. Restart the simulator without its saved state.');
    const merchant: Merchant = {
      id: newAccountId(),
      email,
      otherEmails: [],
      charset: 'windows-1252',
      pdtToken: this.pdtToken,
      autoReturn: false,
      blocksDuplicateInvoices: false,
      notifyUrl: null,
      profileTax: null,
      profileShipping: null,
    };
    this.byId.set(merchant.id, merchant);
    this.byEmail.set(email, merchant);
    return merchant;
  }

  private rebuildEmailIndex(): void {
    this.byEmail.clear();
    for (const merchant of this.byId.values()) {
      for (const email of [merchant.email, ...merchant.otherEmails]) this.byEmail.set(email, merchant);
    }
  }
}
