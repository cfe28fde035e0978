import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInputs, identityContract, secondFactorContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PasswordSignInService } from './password-sign-in.service.js';
import { RegistrationService } from './registration.service.js';
import { SecondFactorSignInService } from './second-factor-sign-in.service.js';

type Input = HandlerInputs<typeof identityContract & typeof secondFactorContract>;

@Controller()
export class SignInController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly passwords: PasswordSignInService,
    private readonly secondFactors: SecondFactorSignInService,
  ) {}

  @Handles(identityContract.register)
  register(@Payload() { credentials, client }: Input['register'], @Ctx() { requestId }: RequestContext) {
    return this.registration.register(credentials, client, requestId);
  }

  @Handles(identityContract.login)
  login(@Payload() { credentials, client }: Input['login'], @Ctx() { requestId }: RequestContext) {
    return this.passwords.signIn(credentials, client, requestId);
  }

  @Handles(secondFactorContract.finish)
  finish(@Payload() input: Input['finish'], @Ctx() { requestId }: RequestContext) {
    return this.secondFactors.finish(input, requestId);
  }

  @Handles(secondFactorContract.passkeySignIn)
  signInByPasskey(@Payload() input: Input['passkeySignIn'], @Ctx() { requestId }: RequestContext) {
    return this.secondFactors.signInByPasskey(input, requestId);
  }

  @Handles(secondFactorContract.passkeyChallenge)
  passkeyChallenge(@Payload() input: Input['passkeyChallenge'], @Ctx() { actor }: RequestContext) {
    return this.secondFactors.passkeyChallenge(input, actor);
  }
}
