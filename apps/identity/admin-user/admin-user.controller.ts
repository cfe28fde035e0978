import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type AdminUser,
  type HandlerInput,
  identityContract,
  type Output,
  secondFactorContract,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AdminRequirementService } from './admin-requirement.service.js';
import { AdminUserService } from './admin-user.service.js';

@Controller()
export class AdminUserController {
  constructor(
    private readonly adminUsers: AdminUserService,
    private readonly requirement: AdminRequirementService,
  ) {}

  @Handles(identityContract.listAdmins)
  list(@Ctx() { actor }: RequestContext): Promise<AdminUser[]> {
    return this.adminUsers.list(actor);
  }

  @Handles(identityContract.admin)
  item(
    @Payload() { id }: HandlerInput<typeof identityContract.admin>,
    @Ctx() { actor }: RequestContext,
  ): Promise<AdminUser> {
    return this.adminUsers.item(id, actor);
  }

  @Handles(identityContract.addAdmin)
  add(
    @Payload() { userEmail }: HandlerInput<typeof identityContract.addAdmin>,
    @Ctx() context: RequestContext,
  ): Promise<AdminUser> {
    return this.adminUsers.add(userEmail, context);
  }

  @Handles(identityContract.updateAdmin)
  update(
    @Payload() { id, userEmail, ifVersion }: HandlerInput<typeof identityContract.updateAdmin>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof identityContract.updateAdmin>> {
    return this.adminUsers.update({ id, userEmail, ifVersion }, context);
  }

  @Handles(identityContract.removeAdmin)
  remove(
    @Payload() { id, ifVersion }: HandlerInput<typeof identityContract.removeAdmin>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof identityContract.removeAdmin>> {
    return this.adminUsers.remove({ id, ifVersion }, context);
  }

  @Handles(identityContract.restoreAdmin)
  restore(
    @Payload() { id }: HandlerInput<typeof identityContract.restoreAdmin>,
    @Ctx() context: RequestContext,
  ): Promise<AdminUser> {
    return this.adminUsers.restore(id, context);
  }

  @Handles(secondFactorContract.requirement)
  readRequirement(): Promise<Output<typeof secondFactorContract.requirement>> {
    return this.requirement.read();
  }

  @Handles(secondFactorContract.setRequirement)
  setRequirement(
    @Payload() { required }: HandlerInput<typeof secondFactorContract.setRequirement>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof secondFactorContract.setRequirement>> {
    return this.requirement.set(required, context);
  }
}
