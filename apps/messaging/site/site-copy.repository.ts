import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SiteCopies } from '#libs/database';

/** Lets mails be sent while the content service is down. */
@Injectable()
export class SiteCopyRepository extends SiteCopies {
  constructor(dataSource: DataSource) {
    super(dataSource, ['siteName', 'logo', 'footerAbout', 'footerAddress', 'mailText', 'newsletter']);
  }
}
