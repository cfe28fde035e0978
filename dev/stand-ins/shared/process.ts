export interface StandInProcess<S> {
  /** Of the service in its log. */
  name: string;
  /** Opens its doors; `warn` is for what a person should know. */
  open(warn: (message: string) => void): Promise<S>;
  /** What it says when it can be used. */
  greeting(running: S): string;
}

/** A stand-in as a process of its own: it ends on a signal, and with the supervisor that started it. */
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
  // A supervisor that was killed must leave no process behind.
  if (process.connected) process.once('disconnect', stop);
}
