import { Controller } from '@nestjs/common';
import { identityContract, type Output } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { SigningKeyService } from './signing-key.service.js';

@Controller()
export class KeyController {
  constructor(private readonly keys: SigningKeyService) {}

  @Handles(identityContract.keys)
  async keysInUse(): Promise<Output<typeof identityContract.keys>> {
    return { keys: (await this.keys.published()).map((key) => ({ ...key })) };
  }
}
