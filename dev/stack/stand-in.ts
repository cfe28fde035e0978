export interface StandInPlan {
  name: string;
  title: string;
  /** On 127.0.0.1, not localhost like the site, because cookies are shared between all ports of a host. */
  url: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  execArgv: string[];
  port: number;
}
