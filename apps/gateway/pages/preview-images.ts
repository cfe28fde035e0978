import { Inject, Injectable } from '@nestjs/common';
import { publicPages } from '#libs/contracts';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { ContentCache } from '../content/content-cache.js';
import { Renderer } from './renderer.js';
import { WebBuilds } from './web-builds.js';

interface CurrentImage {
  /** The version of the content. */
  version: number;
  /** The build of the web process, if it was known. */
  build: string | undefined;
  address: string;
  answer: StoredAnswer;
}

/** The number of images to keep. Outdated ones are kept too, because other sites keep requesting the address that they know. */
const maxKept = 24;

/** The canonical paths, by the page names in the addresses of preview images. */
const canonicalPaths = new Map(publicPages.map(({ name, canonical }) => [name.toLowerCase(), canonical]));

/**
 * The images that other sites show next to a link. Their addresses contain a hash of what is drawn, so clients may cache them forever. An
 * outdated address redirects to the current one, unless its image is still kept.
 */
@Injectable()
export class PreviewImages {
  private readonly current = new Map<string, CurrentImage>();
  /** By path, version and build. */
  private readonly drawing = new Map<string, Promise<CurrentImage>>();
  private readonly kept = new Map<string, StoredAnswer>();

  constructor(
    private readonly content: ContentCache,
    private readonly renderer: Renderer,
    private readonly builds: WebBuilds,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  /** Undefined if the address is not a preview image's. Rejects when the image is not available. */
  at(address: string): Promise<StoredAnswer> | undefined {
    const [, name = ''] = /^\/previews\/([a-z]+)-[0-9a-f]{16}\.png$/.exec(address) ?? [];
    const path = canonicalPaths.get(name);
    return path === undefined ? undefined : this.findOrRedirect(address, path);
  }

  private async findOrRedirect(address: string, path: string): Promise<StoredAnswer> {
    const known = this.kept.get(address);
    if (known) return known;
    const current = await this.getCurrent(path);
    return current.address === address ? current.answer : this.redirection(current.address);
  }

  private async getCurrent(path: string): Promise<CurrentImage> {
    const { version } = this.content.latest;
    const build = this.builds.version;
    const current = this.current.get(path);
    if (current?.version === version && current.build === build) return current;
    const key = `${path} ${version} ${build}`;
    const underWay = this.drawing.get(key);
    if (underWay) return underWay;
    const drawing = this.draw(path).finally(() => this.drawing.delete(key));
    this.drawing.set(key, drawing);
    return drawing;
  }

  private async draw(path: string): Promise<CurrentImage> {
    const site = this.content.latest;
    const build = this.builds.version;
    const { address, image } = await this.renderer.renderPreview(path, site);
    const answer =
      this.kept.get(address) ?? new StoredAnswer({ status: 200, body: image, headers: this.imageHeaders() });
    const current = { version: site.version, build, address, answer };
    // An older drawing may end after a newer one.
    if ((this.current.get(path)?.version ?? 0) <= current.version) this.current.set(path, current);
    this.kept.set(address, answer);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxKept) break;
      this.kept.delete(oldest);
    }
    return current;
  }

  private imageHeaders(): Record<string, string> {
    return {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...this.headers.asset,
    };
  }

  private redirection(address: string): StoredAnswer {
    const headers = { Location: address, 'Cache-Control': 'public, no-cache', ...this.headers.asset };
    return new StoredAnswer({ status: 302, body: '', headers });
  }
}
