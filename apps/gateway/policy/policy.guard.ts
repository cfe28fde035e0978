import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import {
  type Actor,
  DomainError,
  isFresh,
  judgeAccess,
  type Operation,
  type Policy,
  visitor,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { SiteAddress } from '../answers/site-address.js';
import { AccessTokenVerifier } from '../auth/access-token-verifier.js';
import { SessionCookies } from '../auth/session-cookies.js';
import { clientAddress } from '../limits/client-address.js';
import { RateLimits } from '../limits/rate-limits.js';
import type { GatewayRequest } from '../routing/gateway-request.js';
import { refuseStrayBody } from '../routing/input.js';
import { operationKey } from '../routing/serves.js';
import { commandIdOf } from './command-id.js';
import { Cors } from '../answers/cors.js';
import { refuseCrossSite } from './origin.js';

/** Enforces the operations' policies. */
@Injectable()
export class PolicyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokenVerifier,
    private readonly cookies: SessionCookies,
    private readonly limits: RateLimits,
    private readonly cors: Cors,
    private readonly siteAddress: SiteAddress,
    private readonly clock: Clock,
  ) {}

  /** Identifies the caller and refuses those who may not make the call. Called before the body is read. */
  async authorize(request: GatewayRequest, reply: FastifyReply): Promise<void> {
    const { operation } = request.routeOptions.config;
    // Unknown paths are answered with 404; canActivate refuses a handler without an operation.
    if (!operation) return;
    const { policy } = operation;
    if (!policy.provedByLink) this.refuseCrossSite(request, policy);
    request.actor = await this.identify(request, reply, policy);
    refuseUnlessAllowed(policy, request.actor, this.clock.now());
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<Operation | undefined>(operationKey, context.getHandler());
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (!operation || !request.actor) throw new DomainError('FORBIDDEN');
    refuseStrayBody(operation, request);
    if (operation.policy.limit) await this.limits.countCall(operation.policy.limit, clientAddress(request));
    const key = request.headers['idempotency-key'];
    if (operation.policy.idempotent && key !== undefined) {
      request.commandId = commandIdOf(key, operation, request.actor, clientAddress(request));
    }
    return true;
  }

  private refuseCrossSite(request: GatewayRequest, policy: Policy): void {
    const { method, headers } = request;
    refuseCrossSite({
      method,
      headers,
      policy,
      hasCookies: this.cookies.hasAny(request),
      ownOrigin: this.siteAddress.origin,
      isAllowedOrigin: (origin) => this.cors.allows(origin),
    });
  }

  private async identify(request: GatewayRequest, reply: FastifyReply, { session }: Policy): Promise<Actor> {
    if (session === 'ignored') return visitor;
    if (this.tokens.hasCredentials(request)) {
      return this.tokens.verify(request, reply).catch((error: unknown) => {
        if (session === 'lenient' && meansNoSession(error)) return visitor;
        throw error;
      });
    }
    // A browser whose access token has expired must refresh it, instead of being treated as a visitor.
    if (session === 'strict' && this.cookies.hasHint(request)) throw new DomainError('UNAUTHENTICATED');
    return visitor;
  }
}

function meansNoSession(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'UNAUTHENTICATED' || error.code === 'SESSION_ENDED');
}

function refuseUnlessAllowed({ access, fresh }: Policy, actor: Actor, now: Date): void {
  const verdict = judgeAccess(access, actor.role);
  if (verdict === 'unauthenticated') throw new DomainError('UNAUTHENTICATED');
  if (verdict === 'forbidden')
    throw new DomainError(
      'needsSecondFactor' in actor && actor.needsSecondFactor ? 'SECOND_FACTOR_MISSING' : 'FORBIDDEN',
    );
  if (fresh && !isFresh(actor, now.getTime())) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
}
