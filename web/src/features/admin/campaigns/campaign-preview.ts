import { useCallback } from 'react';
import type { CampaignContent } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';

export function useRenderPreview({ subject, preheader, body }: CampaignContent) {
  return useCallback(
    (signal: AbortSignal) =>
      callApi('POST /campaign-preview', { body: { subject, preheader, body }, signal }),
    [subject, preheader, body],
  );
}
