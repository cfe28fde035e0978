import { Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.js';
import { RedisCounters } from './redis-counters.js';

@Module({ providers: [RateLimits, RedisCounters], exports: [RateLimits] })
export class LimitsModule {}
