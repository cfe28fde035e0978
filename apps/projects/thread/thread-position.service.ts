import { Injectable } from '@nestjs/common';
import { type HandlerInput, type Output, threadContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { StaffThreadRepository } from './staff-thread.repository.js';
import { ThreadRepository } from './thread.repository.js';

type Positions = typeof threadContract.getThreadPositions;

/** Gateways compare these positions with earlier ones, to find out which of their open streams have something new. */
@Injectable()
export class ThreadPositionService {
  constructor(
    private readonly thread: ThreadRepository,
    private readonly staffThread: StaffThreadRepository,
  ) {}

  @Handles(threadContract.getThreadPositions)
  async positions({ readers }: HandlerInput<Positions>): Promise<Output<Positions>> {
    const staff = readers.filter(({ asStaff }) => asStaff);
    const customers = readers.filter(({ asStaff }) => !asStaff);
    const [ofStaff, ofCustomers] = await Promise.all([
      staff.length > 0 ? this.staffThread.positions(staff) : [],
      customers.length > 0 ? this.thread.positions(customers) : [],
    ]);
    return readers.map(({ asStaff }) => (asStaff ? ofStaff : ofCustomers).shift() ?? null);
  }
}
