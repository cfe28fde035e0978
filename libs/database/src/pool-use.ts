import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

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
