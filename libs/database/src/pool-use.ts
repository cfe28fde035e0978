import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** How much of a connection pool is in use. */
export interface PoolUse {
  /** Connections in use. */
  used: number;
  /** Open connections that are not in use. */
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
  /** The most connections that the pool opens. */
  limit: number;
}

export function poolUse(dataSource: DataSource): PoolUse {
  // TypeORM calls the driver's pool `master`.
  const { master } = dataSource.driver as unknown as { master: Pool };
  return {
    used: master.totalCount - master.idleCount,
    idle: master.idleCount,
    waiting: master.waitingCount,
    limit: master.options.max,
  };
}
