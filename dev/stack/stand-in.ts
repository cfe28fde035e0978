/** What takes the place of a service of somebody else's: a process of its own, at an address of its own. */
export interface StandInPlan {
  /** Of its log, and in what the stack says. */
  name: string;
  /** How a sentence about it begins. */
  title: string;
  /** On 127.0.0.1, as the site is on localhost: cookies belong to a host, whatever the port. */
  url: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  execArgv: string[];
  port: number;
}
