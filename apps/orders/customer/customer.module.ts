import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { CustomerRepository } from './customer.repository.js';
import { CustomerService } from './customer.service.js';

@Module({
  controllers: [controllerOf(CustomerService)],
  providers: [CustomerRepository, CustomerService],
  exports: [CustomerRepository],
})
export class CustomerModule {}
