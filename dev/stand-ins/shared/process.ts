export interface StandInProcess<S> {
  /** The field `service` in the lines of its log. */
  name: string;
  open(warn: (message: string) => void): Promise<S>;
  greeting(running: S): string;
}

/** Undefined if the variable is empty. */
export const setting = (name: string) => process.env[name] || undefined;

/** The process ends on a signal, or when its supervisor ends. */
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
  // A supervisor that is killed sends no signal.
  if (process.connected) process.once('disconnect', stop);
}
