import { useCallback } from 'react';
import type { CampaignContent } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';

/** The function with which `MailPreview` renders a campaign. */
export function useCampaignPreview({ subject, preheader, body }: CampaignContent) {
  return useCallback(
    (signal: AbortSignal) =>
      callApi('POST /campaign-preview', { body: { subject, preheader, body }, signal }),
    [subject, preheader, body],
  );
}
