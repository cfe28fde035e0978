import { z } from 'zod';

/** Where a request comes from, for the list of sessions, for throttling and for mails about new devices. Set by the gateway, never by a body. */
export const client = z.object({
  /** The IP address. */
  address: z.string().max(64),
  /** As the browser sends it, cut to 400 characters, and without what a text column cannot hold. */
  userAgent: z.string().transform((text) => text.slice(0, 400).toWellFormed().replaceAll('\0', '')),
  /** The id in the device cookie, by which a device is recognised. It proves nothing. */
  device: z.object({ id: z.string().max(100), isNew: z.boolean() }).optional(),
});
export type Client = z.output<typeof client>;
