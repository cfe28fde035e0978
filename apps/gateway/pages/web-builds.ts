import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { WebBuild, WebFile } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { abortAfter, PeriodicTask } from '#libs/runtime';
import { notIndexed, SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

const pollMs = 1000;
/** Pages and screens that are open in browsers still load files of earlier builds. */
const maxBuilds = 3;
const maxBuildBytes = 64 * 1024 * 1024;

interface Build {
  version: string;
  files: Map<string, () => StoredAnswer>;
  shells: Map<string, () => StoredAnswer>;
}

/**
 * Files and shells of the web process, in memory. The whole build is fetched when its version changes, so they are available while the web process is
 * down.
 */
@Injectable()
export class WebBuilds implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The newest comes first. */
  private builds: Build[] = [];
  private loading: Promise<void> | undefined;
  private readonly pollTask = new PeriodicTask({
    everyMs: pollMs,
    run: () => this.refresh(),
    // `load` logs the first error of an outage.
    onError: () => undefined,
  });
  private isReachable = true;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get version(): string | undefined {
    return this.builds[0]?.version;
  }

  onApplicationBootstrap(): void {
    this.pollTask.start();
    this.pollTask.runSoon();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
    // Not awaited, because the abort ends a request in progress.
    void this.pollTask.stop();
  }

  /** The file at exactly this address, if the newest known build has one there. Fetches nothing. */
  findInMemory(url: string): StoredAnswer | undefined {
    return this.builds[0]?.files.get(url)?.();
  }

  /** Undefined if no known build has the file. Rejects if no build is known and none can be fetched. */
  async findFile(path: string): Promise<StoredAnswer | undefined> {
    await this.ensureLoaded();
    for (const { files } of this.builds) {
      const file = files.get(path);
      if (file) return file();
    }
    return undefined;
  }

  /** Rejects if the newest build has no such shell, or if no build is known and none can be fetched. */
  async getShell(pattern: string): Promise<StoredAnswer> {
    await this.ensureLoaded();
    const shell = this.builds[0]!.shells.get(pattern);
    if (!shell) throw new Error(`The web process has no shell for ${pattern}`);
    return shell();
  }

  /** Fetches the build if it is a new one. Rejects if the web process does not answer as expected in time. */
  refresh(): Promise<void> {
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async ensureLoaded(): Promise<void> {
    if (this.builds.length === 0) await this.refresh();
  }

  private async load(): Promise<void> {
    try {
      const build = await this.fetchNew();
      if (build) this.addBuild(build);
      this.setReachable(true);
    } catch (error) {
      this.setReachable(false, error);
      throw error;
    }
  }

  /** Undefined if the newest build is known already. */
  private fetchNew(): Promise<WebBuild | undefined> {
    const late = new Error('The web process did not answer in time');
    const fetchBuild = async (signal: AbortSignal) => {
      const response = await fetch(`${this.config.WEB_URL}/build`, {
        headers: this.version === undefined ? {} : { 'If-None-Match': `"${this.version}"` },
        redirect: 'error',
        signal,
      });
      const text = await textAtMost(response, maxBuildBytes);
      if (response.status === 304) return undefined;
      if (response.status !== 200)
        throw new Error(`The web process answered ${response.status} for its build`);
      return JSON.parse(text) as WebBuild;
    };
    return abortAfter(this.config.WEB_TIMEOUT_MS, late, fetchBuild, this.stopping.signal);
  }

  private addBuild({ version, files, shells }: WebBuild): void {
    const build: Build = {
      version,
      files: mapOf(files, (file) => this.fileAnswer(file)),
      shells: mapOf(shells, (html) => this.shellAnswer(html)),
    };
    const former = this.builds.filter((known) => known.version !== version);
    this.builds = [build, ...former].slice(0, maxBuilds);
  }

  private fileAnswer({ contentType, cacheControl, body, encoded }: WebFile): StoredAnswer {
    return new StoredAnswer({
      status: 200,
      body: fromBase64(body),
      ...(encoded && { encoded: { br: fromBase64(encoded.br), gzip: fromBase64(encoded.gzip) } }),
      headers: { 'Content-Type': contentType, 'Cache-Control': cacheControl, ...this.headers.asset },
    });
  }

  /** Varies by `Accept`, because some shells share their address with a call of the API. */
  private shellAnswer(html: string): StoredAnswer {
    return new StoredAnswer({
      status: 200,
      body: html,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'private, no-cache',
        Vary: 'Accept',
        ...notIndexed,
        ...this.headers.page,
      },
    });
  }

  private setReachable(isReachable: boolean, error?: unknown): void {
    if (isReachable === this.isReachable || this.stopping.signal.aborted) return;
    this.isReachable = isReachable;
    if (isReachable) this.logger.info('The build can be fetched from the web process again');
    else
      this.logger.warn(
        { err: error },
        'The build could not be fetched from the web process; files of known builds are still served',
      );
  }
}

const fromBase64 = (base64: string) => Buffer.from(base64, 'base64');

function mapOf<T>(entries: Record<string, T>, answerOf: (entry: T) => StoredAnswer) {
  return new Map(Object.entries(entries).map(([key, entry]) => [key, once(() => answerOf(entry))]));
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

async function textAtMost(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`The build of the web process has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
