import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SiteCopies } from '#libs/database';
import { SellerService } from './seller.service.js';

/** The name and the logo of the site, which receipts and documents show. Without `siteName`, the name is the heading of `footerAbout`. */
@Module({
  providers: [
    {
      provide: SiteCopies,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new SiteCopies(dataSource, ['siteName', 'footerAbout', 'logo']),
    },
    SellerService,
  ],
  exports: [SiteCopies, SellerService],
})
export class SiteModule {}
