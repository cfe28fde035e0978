import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/contracts';
import { ContentFollower } from '#libs/transport';
import { centsOf } from '../money/price.js';
import { PackageRepository } from './package.repository.js';

export interface Offer {
  name: string;
  /** As written in content. */
  price: string;
  cents: number;
}

export function priceChanged(offer: Offer | undefined): DomainError {
  const current = offer ? { packageName: offer.name, packagePrice: offer.price } : null;
  return new DomainError('PRICE_CHANGED', { current });
}

/** Far more packages than a site has. Former names are remembered too, so there has to be a limit. */
const maxRemembered = 1000;

/** Only `findLatest` asks the content service. */
@Injectable()
export class PackageOfferService {
  /** Makes most queries unnecessary. An outdated entry does no harm: placing an order checks the table again. */
  private readonly remembered = new Map<string, Offer>();

  constructor(
    private readonly packages: PackageRepository,
    private readonly content: ContentFollower,
  ) {}

  /** May be outdated. */
  async findRemembered(name: string): Promise<Offer | undefined> {
    return this.remembered.get(name) ?? (await this.findStored(name));
  }

  /** The current offer, or the last known one if the content service does not answer. */
  async findLatest(name: string): Promise<Offer | undefined> {
    await this.content.refresh().catch(() => undefined);
    return this.findStored(name);
  }

  async findStored(name: string): Promise<Offer | undefined> {
    // Forgets a package that no longer exists. Otherwise, the offer becomes the newest entry, which is forgotten last.
    this.remembered.delete(name);
    const found = await this.packages.find(name);
    if (!found) return undefined;
    const offer = { ...found, cents: centsOf(found.price) };
    this.remembered.set(name, offer);
    if (this.remembered.size > maxRemembered) this.remembered.delete(this.remembered.keys().next().value!);
    return offer;
  }
}
