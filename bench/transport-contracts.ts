import { z } from 'zod';
import { query } from '#libs/contracts';

export const echo = query({
  pattern: 'content.echo',
  access: 'public',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});

export const spin = query({
  pattern: 'content.spin',
  access: 'public',
  input: z.object({ ms: z.number() }),
  output: z.object({}),
});
