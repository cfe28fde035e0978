import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SiteCopies } from '#libs/database';

/** What mails show of the site's content, so that they go out while the content service is down. */
@Injectable()
export class SiteCopyRepository extends SiteCopies {
  constructor(dataSource: DataSource) {
    super(dataSource, ['siteName', 'logo', 'footerAbout', 'footerAddress', 'mailText', 'newsletter']);
  }
}
