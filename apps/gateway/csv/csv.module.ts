import { Module } from '@nestjs/common';
import { CsvDownload } from './csv-download.js';

@Module({ providers: [CsvDownload], exports: [CsvDownload] })
export class CsvModule {}
