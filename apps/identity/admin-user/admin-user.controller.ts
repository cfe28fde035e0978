import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInputs, identityContract as contract, secondFactorContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AdminRequirementService } from './admin-requirement.service.js';
import { AdminUserService } from './admin-user.service.js';

type Input = HandlerInputs<typeof contract & typeof secondFactorContract>;

@Controller()
export class AdminUserController {
  constructor(
    private readonly adminUsers: AdminUserService,
    private readonly requirements: AdminRequirementService,
  ) {}

  @Handles(contract.listAdmins)
  list(@Ctx() { actor }: RequestContext) {
    return this.adminUsers.list(actor);
  }

  @Handles(contract.admin)
  item(@Payload() { id }: Input['admin'], @Ctx() { actor }: RequestContext) {
    return this.adminUsers.item(id, actor);
  }

  @Handles(contract.addAdmin)
  add(@Payload() { userEmail }: Input['addAdmin'], @Ctx() context: RequestContext) {
    return this.adminUsers.add(userEmail, context);
  }

  @Handles(contract.updateAdmin)
  update(@Payload() input: Input['updateAdmin'], @Ctx() context: RequestContext) {
    return this.adminUsers.update(input, context);
  }

  @Handles(contract.removeAdmin)
  remove(@Payload() input: Input['removeAdmin'], @Ctx() context: RequestContext) {
    return this.adminUsers.remove(input, context);
  }

  @Handles(contract.restoreAdmin)
  restore(@Payload() { id }: Input['restoreAdmin'], @Ctx() context: RequestContext) {
    return this.adminUsers.restore(id, context);
  }

  @Handles(secondFactorContract.requirement)
  requirement() {
    return this.requirements.read();
  }

  @Handles(secondFactorContract.setRequirement)
  setRequirement(@Payload() { required }: Input['setRequirement'], @Ctx() context: RequestContext) {
    return this.requirements.set(required, context);
  }
}
