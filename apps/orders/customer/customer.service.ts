import { Injectable } from '@nestjs/common';
import {
  type Customer,
  customerContract,
  DomainError,
  type HandlerInputs,
  type PageOf,
} from '#libs/contracts';
import { Handles } from '#libs/transport';
import { dollarsOf } from '../money/price.js';
import type { CustomerEntity } from './customer.entity.js';
import { CustomerRepository } from './customer.repository.js';

type Input = HandlerInputs<typeof customerContract>;

@Injectable()
export class CustomerService {
  constructor(private readonly customers: CustomerRepository) {}

  @Handles(customerContract.listCustomers)
  async list(request: Input['listCustomers']): Promise<PageOf<Customer>> {
    const { items, ...page } = await this.customers.list(request);
    return { ...page, items: items.map(customerView) };
  }

  @Handles(customerContract.getCustomer)
  async get({ id }: Input['getCustomer']): Promise<Customer> {
    const customer = await this.customers.find(id);
    if (!customer) throw new DomainError('NOT_FOUND');
    return customerView(customer);
  }
}

function customerView(customer: CustomerEntity): Customer {
  return {
    _id: customer.id,
    name: customer.name,
    email: customer.email,
    orders: customer.orders,
    spent: dollarsOf(customer.spentCents),
    refunded: dollarsOf(customer.refundedCents),
    firstOrderAt: customer.firstOrderAt.toISOString(),
    lastOrderAt: customer.lastOrderAt.toISOString(),
  };
}
