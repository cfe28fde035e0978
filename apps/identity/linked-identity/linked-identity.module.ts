import { Module } from '@nestjs/common';
import { LinkedIdentityRepository } from './linked-identity.repository.js';

@Module({ providers: [LinkedIdentityRepository], exports: [LinkedIdentityRepository] })
export class LinkedIdentityModule {}
