import { Inject } from '@nestjs/common';
import { campaignContract, campaignOperations, type OperationInput } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { campaignColumns } from './messaging.csv.js';

/**
 * The document of a frame, into which the screen around it writes the HTML of a mail. The title and the name `getLetterFrame` are from the time when
 * only newsletters had a preview.
 */
const emptyHtml = '<!doctype html><html lang="en"><head><title>Newsletter</title></head><body></body></html>';

@Serves(campaignOperations)
export class CampaignController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  getLetterFrame(_: object, { reply }: Context): string {
    reply
      .headers(this.headers.mailPreview)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache');
    return emptyHtml;
  }

  exportCampaigns(
    filter: OperationInput<typeof campaignOperations.exportCampaigns>,
    { reply, caller }: Context,
  ) {
    return this.csv.send(reply, 'campaigns', campaignColumns, (range) =>
      this.rpc.call(campaignContract.listCampaigns, { ...filter, ...range }, caller),
    );
  }
}
