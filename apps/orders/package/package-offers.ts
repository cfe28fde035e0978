import { Injectable } from '@nestjs/common';
import { ContentFollower } from '#libs/transport';
import { centsOf } from '../money/price.js';
import { PackageProjection } from './package-projection.js';

/** A package that is for sale. */
export interface Offer {
  name: string;
  /** As content has it written. */
  price: string;
  cents: number;
}

/** As many names as a shop will ever sell, and a bound for what is made up. */
const rememberedAtMost = 1000;

/**
 * What is for sale at which price. The content service is asked whenever somebody orders a package that is not known or at another price; while
 * it is down, what is known holds.
 */
@Injectable()
export class PackageOffers {
  /** A hint that saves a query: an order is only placed if the table still says so. */
  private readonly remembered = new Map<string, Offer>();

  constructor(
    private readonly projection: PackageProjection,
    private readonly content: ContentFollower,
  ) {}

  /** What was known a moment ago; undefined for a package nobody has heard of. */
  async known(name: string): Promise<Offer | undefined> {
    return this.remembered.get(name) ?? (await this.read(name));
  }

  /** What content says now, or what is known if it does not answer. */
  async latest(name: string): Promise<Offer | undefined> {
    await this.content.refresh().catch(() => undefined);
    return this.read(name);
  }

  private async read(name: string): Promise<Offer | undefined> {
    this.remembered.delete(name);
    const found = await this.projection.find(name);
    if (!found) return undefined;
    const offer = { ...found, cents: centsOf(found.price) };
    this.remembered.set(name, offer);
    if (this.remembered.size > rememberedAtMost) this.remembered.delete(this.remembered.keys().next().value!);
    return offer;
  }
}
