export interface StandInProcess<S> {
  /** The stand-in's name: `service` in its log. */
  name: string;
  /** Starts its server; `warn` logs a warning. */
  open(warn: (message: string) => void): Promise<S>;
  /** The message that it logs when it is ready. */
  greeting(running: S): string;
}

/** The value of an environment variable; undefined if it is empty. */
export const setting = (name: string) => process.env[name] || undefined;

/** Runs a stand-in as a process, which ends on a signal, or when its supervisor ends. */
export async function runStandIn<S extends { stop(): Promise<void> }>(
  standIn: StandInProcess<S>,
): Promise<void> {
  /** In the form of the services' logs, so that the stack shows warnings and errors. */
  const log = (level: 'info' | 'warn' | 'error', msg: string) =>
    console.log(JSON.stringify({ level, time: new Date().toISOString(), service: standIn.name, msg }));

  const running = await standIn.open((message) => log('warn', message));
  log('info', standIn.greeting(running));

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    running.stop().then(
      () => process.exit(0),
      (error: Error) => {
        log('error', error.message);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  // The process must end if its supervisor is killed.
  if (process.connected) process.once('disconnect', stop);
}
