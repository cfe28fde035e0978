import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';

/** Whether this process is about to stop: what it still answers then is the last answer on its connection. */
@Injectable()
export class Draining {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isUnderWay(): boolean {
    return this.begun;
  }

  /** To be called before the headers are written. */
  endConnection(response: ServerResponse): void {
    if (this.begun) response.shouldKeepAlive = false;
  }
}
