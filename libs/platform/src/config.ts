import type { z } from 'zod';

/** sysexits.h EX_CONFIG. */
const configExitCode = 78;

/**
 * Reads a process's settings: `schema` has one field per environment variable. If some are invalid, prints a line for each and then exits with
 * 78. A rule about several settings is checked only if every setting of the process is valid by itself. Values are never printed, because some
 * are passwords.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const result = readConfig(schema, env);
  if (result.ok) return result.config;
  for (const fault of result.faults) process.stderr.write(`${fault}\n`);
  process.exit(configExitCode);
}

export type ConfigReading<T> = { ok: true; config: T } | { ok: false; faults: string[] };

/** Like `loadConfig`, but returns the faults. An empty variable counts as not set, as in a compose file's `X=`. */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: NodeJS.ProcessEnv,
): ConfigReading<z.output<S>> {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(nonEmpty);
  if (result.success) return { ok: true, config: result.data };
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { ok: false, faults };
}
