import { Module } from '@nestjs/common';
import { AccountLinkRepository } from './account-link.repository.js';
import { AccountLinkService } from './account-link.service.js';

@Module({ providers: [AccountLinkRepository, AccountLinkService], exports: [AccountLinkService] })
export class LinkModule {}
