import { Injectable } from '@nestjs/common';
import { identityContract, system } from '#libs/contracts';
import { RpcClient } from '#libs/transport';

@Injectable()
export class StaffClient {
  constructor(private readonly rpc: RpcClient) {}

  /** All admins. */
  list(): Promise<{ accountId: string; email: string }[]> {
    return this.rpc.call(identityContract.adminAccounts, {}, { actor: system, deadlineMs: 5_000 });
  }
}
