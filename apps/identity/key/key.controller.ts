import { Controller } from '@nestjs/common';
import { identityContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { SigningKeyService } from './signing-key.service.js';

@Controller()
export class KeyController {
  constructor(private readonly signingKeys: SigningKeyService) {}

  @Handles(identityContract.keys)
  async keys() {
    return { keys: (await this.signingKeys.published()).map((key) => ({ ...key })) };
  }
}
