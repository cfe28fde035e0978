import { Injectable } from '@nestjs/common';
import { ContentFollower } from '#libs/transport';
import { centsOf } from '../money/price.js';
import { PackageRepository } from './package.repository.js';

/** A package on offer. */
export interface Offer {
  name: string;
  /** As written in content. */
  price: string;
  cents: number;
}

/** Far more packages than a site has. Limits the memory that former names of packages take. */
const maxRemembered = 1000;

/** Finds which packages are on offer at which price. Only `latest` asks content. While content is down, the last known offers are valid. */
@Injectable()
export class PackageOfferService {
  /** Saves a query. An outdated entry does no harm: placing an order checks the table again. */
  private readonly remembered = new Map<string, Offer>();

  constructor(
    private readonly packages: PackageRepository,
    private readonly content: ContentFollower,
  ) {}

  /** The offer as this process knows it, which may be outdated; undefined for an unknown package. */
  async known(name: string): Promise<Offer | undefined> {
    return this.remembered.get(name) ?? (await this.stored(name));
  }

  /** The offer as content has it now, or as last known if content does not answer. */
  async latest(name: string): Promise<Offer | undefined> {
    await this.content.refresh().catch(() => undefined);
    return this.stored(name);
  }

  /** The offer as last received from content. */
  async stored(name: string): Promise<Offer | undefined> {
    this.remembered.delete(name);
    const found = await this.packages.find(name);
    if (!found) return undefined;
    const offer = { ...found, cents: centsOf(found.price) };
    this.remembered.set(name, offer);
    if (this.remembered.size > maxRemembered) this.remembered.delete(this.remembered.keys().next().value!);
    return offer;
  }
}
