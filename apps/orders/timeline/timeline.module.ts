import { Module } from '@nestjs/common';
import { OrderTimelineRepository } from './order-timeline.repository.js';

@Module({ providers: [OrderTimelineRepository], exports: [OrderTimelineRepository] })
export class TimelineModule {}
