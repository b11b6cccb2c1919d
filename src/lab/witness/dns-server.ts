/** A DNS server over HTTPS (RFC 8484) that counts what it is asked, and answers as a scenario wants, after a delay of its own. */

import type { Activity } from './activity.ts';
import { type Certificate, countingServer, type SeenRequest } from './counting-server.ts';
import { type Answer, answerTo, parseQuestion, type Question } from './dns-message.ts';
import type { WitnessBrowser } from './witness-browser.ts';

export interface SeenQuestion extends Question {
  readonly atMs: number;
  /** Present once it has been answered. */
  answeredMs?: number;
  readonly request: SeenRequest;
}

export interface DnsServer extends Pick<Activity, 'until' | 'quiet'> {
  readonly questions: readonly SeenQuestion[];
  /** Questions about a name that begins so. */
  about(beginning: string): readonly SeenQuestion[];
  close(): Promise<void>;
}

export interface DnsOptions {
  readonly certificate: Certificate;
  /** None: there is no record of that type. */
  readonly answer: (question: Question) => readonly Answer[];
  readonly delayMs?: (question: Question) => number;
}

export async function dnsServer({ certificate, answer, delayMs = () => 0 }: DnsOptions): Promise<DnsServer & { readonly url: string }> {
  const questions: SeenQuestion[] = [];
  const server = await countingServer({
    certificate,
    respond: (request) => ({
      write: (response) => {
        const query = Buffer.from(new URL(request.path, 'https://dns').searchParams.get('dns') ?? '', 'base64url');
        const question: SeenQuestion = { ...parseQuestion(query), atMs: performance.now(), request };
        questions.push(question);
        setTimeout(() => {
          question.answeredMs = performance.now();
          const body = answerTo(query, answer(question));
          response.writeHead(200, { 'content-type': 'application/dns-message', 'content-length': body.length });
          response.end(body);
        }, delayMs(question));
      },
    }),
  });
  return {
    url: `https://127.0.0.1:${server.port}/dns-query`,
    questions,
    about: (beginning) => questions.filter(({ name }) => name.startsWith(beginning)),
    until: server.until,
    quiet: server.quiet,
    close: server.close,
  };
}

/** Starts a server and has Firefox ask it. */
export async function dnsServerFor(browser: WitnessBrowser, options: DnsOptions): Promise<DnsServer> {
  const server = await dnsServer(options);
  await browser.set({ 'network.trr.uri': server.url });
  return server;
}
