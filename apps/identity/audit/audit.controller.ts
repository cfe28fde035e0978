import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { auditContracts, type AuditRequest } from '#libs/contracts';
import { AuditTrail } from '#libs/database';
import { Handles } from '#libs/transport';

@Controller()
export class AuditController {
  constructor(private readonly trail: AuditTrail) {}

  @Handles(auditContracts.identity)
  list(@Payload() request: AuditRequest) {
    return this.trail.list(request);
  }
}
