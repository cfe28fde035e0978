import { Module } from '@nestjs/common';
import { MailedLinkRepository } from './mailed-link.repository.js';
import { MailedLinkService } from './mailed-link.service.js';

@Module({ providers: [MailedLinkRepository, MailedLinkService], exports: [MailedLinkService] })
export class LinkModule {}
