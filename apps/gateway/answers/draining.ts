import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';

/** Whether this process is shutting down. From then on, each answer closes its connection. */
@Injectable()
export class Draining {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isUnderWay(): boolean {
    return this.begun;
  }

  /** Call it before the headers are written. */
  endConnection(response: ServerResponse): void {
    if (this.begun) response.shouldKeepAlive = false;
  }
}
