import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SiteCopies } from '#libs/database';

/** A copy of the content that mails show, so that mails can be sent while the content service is down. */
@Injectable()
export class SiteCopyRepository extends SiteCopies {
  constructor(dataSource: DataSource) {
    super(dataSource, ['siteName', 'logo', 'footerAbout', 'footerAddress', 'mailText', 'newsletter']);
  }
}
