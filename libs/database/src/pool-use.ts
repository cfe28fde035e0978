import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** How many connections of the pool are in use and idle, how many requests wait for one, and how many there may be. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
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
