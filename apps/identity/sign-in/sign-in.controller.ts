import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type HandlerInput,
  identityContract,
  type Output,
  secondFactorContract,
  type SignedIn,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PasswordSignInService } from './password-sign-in.service.js';
import { RegistrationService } from './registration.service.js';
import { SecondFactorSignInService } from './second-factor-sign-in.service.js';

@Controller()
export class SignInController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly passwords: PasswordSignInService,
    private readonly secondFactors: SecondFactorSignInService,
  ) {}

  @Handles(identityContract.register)
  register(
    @Payload() { credentials, client }: HandlerInput<typeof identityContract.register>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.registration.register(credentials, client, requestId);
  }

  @Handles(identityContract.login)
  login(
    @Payload() { credentials, client }: HandlerInput<typeof identityContract.login>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.passwords.signIn(credentials, client, requestId);
  }

  @Handles(secondFactorContract.finish)
  finish(
    @Payload() input: HandlerInput<typeof secondFactorContract.finish>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.secondFactors.finish(input, requestId);
  }

  @Handles(secondFactorContract.passkeySignIn)
  signInByPasskey(
    @Payload() input: HandlerInput<typeof secondFactorContract.passkeySignIn>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.secondFactors.signInByPasskey(input, requestId);
  }

  @Handles(secondFactorContract.passkeyChallenge)
  passkeyChallenge(
    @Payload() input: HandlerInput<typeof secondFactorContract.passkeyChallenge>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Output<typeof secondFactorContract.passkeyChallenge>> {
    return this.secondFactors.passkeyChallenge(input, actor);
  }
}
