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

@Injectable()
export class ServiceClients {
  constructor(private readonly rpc: RpcClient) {}

  getOrder(id: string): Promise<Output<typeof orderContract.getForService>> {
    return this.rpc.call(orderContract.getForService, { id }, options);
  }

  getPlan(id: string): Promise<PlanSubscription> {
    return this.rpc.call(planSubscriptionContract.getSubscriptionForService, { id }, options);
  }

  /** Null unless the account's address is confirmed. */
  async confirmedEmail(accountId: string): Promise<string | null> {
    const { email } = await this.rpc.call(identityContract.confirmedEmail, { accountId }, options);
    return email;
  }

  /** The confirmed addresses of all admins, or of those who want this notification. */
  adminEmails(notification?: AdminNotification): Promise<string[]> {
    return this.rpc.call(identityContract.adminEmails, { notification }, options);
  }

  adminAccounts(): Promise<Output<typeof identityContract.adminAccounts>> {
    return this.rpc.call(identityContract.adminAccounts, {}, options);
  }

  getProject(projectId: string): Promise<Output<typeof projectContract.getForMail>> {
    return this.rpc.call(projectContract.getForMail, { projectId }, options);
  }
}

export async function undefinedIfNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
