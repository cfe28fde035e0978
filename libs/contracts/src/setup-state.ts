import { z } from 'zod';

/** `demo`: still demo content, or an example address. */
export const setupState = z.enum(['missing', 'demo', 'done']);
export type SetupState = z.infer<typeof setupState>;

/** Reserved by RFC 2606: nobody receives what is sent there. */
const exampleAddress = /[@.](?:example|example\.(?:com|net|org)|invalid|test|localhost)$/i;

/** For a step that sets an address or an account. */
export function setupStateOf(address: string | null): SetupState {
  if (!address) return 'missing';
  return exampleAddress.test(address) ? 'demo' : 'done';
}
