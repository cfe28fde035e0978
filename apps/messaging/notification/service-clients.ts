import { Injectable } from '@nestjs/common';
import {
  type AdminNotification,
  DomainError,
  identityContract,
  orderContract,
  type Output,
  type PlanSubscription,
  planSubscriptionContract,
  projectContract,
  system,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';

const options = { actor: system, deadlineMs: 5_000 };

/** Reads data for notifications from other services. */
@Injectable()
export class ServiceClients {
  constructor(private readonly rpc: RpcClient) {}

  /** Throws NOT_FOUND. */
  order(id: string): Promise<Output<typeof orderContract.getForService>> {
    return this.rpc.call(orderContract.getForService, { id }, options);
  }

  /** Throws NOT_FOUND. */
  plan(id: string): Promise<PlanSubscription> {
    return this.rpc.call(planSubscriptionContract.getSubscriptionForService, { id }, options);
  }

  /** The account's e-mail address; null unless it is confirmed. */
  async confirmedEmail(accountId: string): Promise<string | null> {
    const { email } = await this.rpc.call(identityContract.confirmedEmail, { accountId }, options);
    return email;
  }

  /** The confirmed e-mail addresses of all admins, or only of those who want this notification. */
  adminEmails(notification?: AdminNotification): Promise<string[]> {
    return this.rpc.call(identityContract.adminEmails, { notification }, options);
  }

  adminAccounts(): Promise<Output<typeof identityContract.adminAccounts>> {
    return this.rpc.call(identityContract.adminAccounts, {}, options);
  }

  /** Throws NOT_FOUND. */
  project(projectId: string): Promise<Output<typeof projectContract.getForMail>> {
    return this.rpc.call(projectContract.getForMail, { projectId }, options);
  }
}

/** The result of a call; undefined if the call throws NOT_FOUND. Throws its other errors. */
export async function found<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
