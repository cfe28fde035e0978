import type { Clock } from '../clock.js';
import { newPlanId, newProductId } from '../identifiers.js';
import { Refusal } from '../refusal.js';
import type { PlanRequest, ProductRequest } from './billing-request.js';
import { notFound, unprocessable } from './errors.js';

export interface ProductRecord extends ProductRequest {
  id: string;
  merchantId: string;
  createdAt: number;
}

export interface PlanRecord extends PlanRequest {
  id: string;
  merchantId: string;
  createdAt: number;
  updatedAt: number;
}

const maxRecords = 5_000;

export class Catalog {
  private readonly productsById = new Map<string, ProductRecord>();
  private readonly plansById = new Map<string, PlanRecord>();

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  get products(): ProductRecord[] {
    return [...this.productsById.values()];
  }

  get plans(): PlanRecord[] {
    return [...this.plansById.values()];
  }

  addProduct(merchantId: string, { id = newProductId(), ...request }: ProductRequest): ProductRecord {
    if (this.productsById.has(id))
      throw unprocessable('DUPLICATE_RESOURCE_IDENTIFIER', 'Identifier must be unique.');
    return this.add(this.productsById, { ...request, id, merchantId, createdAt: this.clock.now() });
  }

  /** Throws 404. */
  getProduct(id: string, merchantId: string): ProductRecord {
    return ofMerchant(this.productsById.get(id), merchantId);
  }

  /** Throws 404 unless the merchant has the product. */
  addPlan(merchantId: string, request: PlanRequest): PlanRecord {
    this.getProduct(request.productId, merchantId);
    const now = this.clock.now();
    return this.add(this.plansById, {
      ...request,
      id: newPlanId(),
      merchantId,
      createdAt: now,
      updatedAt: now,
    });
  }

  /** Throws 404. */
  getPlan(id: string, merchantId: string): PlanRecord {
    return ofMerchant(this.plansById.get(id), merchantId);
  }

  setPlanStatus(plan: PlanRecord, status: 'ACTIVE' | 'INACTIVE'): void {
    if (plan.status === status || (plan.status === 'CREATED' && status === 'INACTIVE'))
      throw unprocessable(
        'PLAN_STATUS_INVALID',
        status === 'ACTIVE'
          ? 'Invalid plan status for activate action; plan status should be either created or inactive.'
          : 'Invalid plan status for deactivate action; plan status should be active.',
      );
    Object.assign(plan, { status, updatedAt: this.clock.now() });
    this.changed();
  }

  restore(products: ProductRecord[], plans: PlanRecord[]): void {
    for (const product of products) this.productsById.set(product.id, product);
    for (const plan of plans) this.plansById.set(plan.id, plan);
  }

  private add<T extends { id: string }>(records: Map<string, T>, record: T): T {
    if (records.size >= maxRecords) throw new Refusal(409, 'There are too many products or plans.');
    records.set(record.id, record);
    this.changed();
    return record;
  }
}

function ofMerchant<T extends { merchantId: string }>(record: T | undefined, merchantId: string): T {
  if (record?.merchantId !== merchantId) throw notFound();
  return record;
}
