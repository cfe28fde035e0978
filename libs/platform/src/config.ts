import type { z } from 'zod';

/** sysexits.h EX_CONFIG: something was found in an unconfigured or misconfigured state. */
const configExitCode = 78;

/**
 * Reads a process's settings: `schema` has one field per environment variable, under the variable's name. If any is invalid, prints one line
 * for each, which names its variable, and exits with 78. Values are never printed, because some are passwords.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const read = readConfig(schema, env);
  if (read.ok) return read.config;
  for (const fault of read.faults) process.stderr.write(`${fault}\n`);
  process.exit(configExitCode);
}

export type ConfigReading<T> = { ok: true; config: T } | { ok: false; faults: string[] };

/** `loadConfig` without the exit. An empty variable counts as not set, as in a compose file's `X=`. */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: NodeJS.ProcessEnv,
): ConfigReading<z.output<S>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(set);
  if (result.success) return { ok: true, config: result.data };
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { ok: false, faults };
}
