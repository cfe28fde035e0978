/** How to start a stand-in for a third-party service, as a process with its own address. */
export interface StandInPlan {
  /** The name of its log, and its name in the stack's messages. */
  name: string;
  /** Its name at the beginning of a sentence. */
  title: string;
  /** On 127.0.0.1, not localhost like the site, because cookies are shared between all ports of a host. */
  url: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  execArgv: string[];
  port: number;
}
