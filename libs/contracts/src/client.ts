import { z } from 'zod';

/** Where a request comes from. Set by the gateway, never by a body. */
export const client = z.object({
  address: z.string().max(64),
  /** Cut to 400 characters, without what a text column cannot hold. */
  userAgent: z.string().transform((text) => text.slice(0, 400).toWellFormed().replaceAll('\0', '')),
  /** The id in the device cookie. It proves nothing. */
  device: z.object({ id: z.string().max(100), isNew: z.boolean() }).optional(),
});
export type Client = z.output<typeof client>;
