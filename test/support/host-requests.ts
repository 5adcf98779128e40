import type emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import type services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ask } from "./asking.ts";
import { type Props, propsOf, struct } from "./structs.ts";

interface Checked {
  readonly inputs: Props;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

interface Difference {
  readonly changes: "unknown" | "none" | "some";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

const changes = ["unknown", "none", "some"] as const;

/** What the engine asks of a provider during a run. */
export interface Asked {
  check(olds: Props, news: Props): Promise<Checked>;
  diff(id: string, olds: Props, news: Props): Promise<Difference>;
  create(properties: Props): Promise<{ readonly id: string; readonly outputs: Props }>;
  /** An empty id means that the resource is gone. @param inputs those of the state, none before an import */
  read(id: string, properties: Props, inputs?: Props): Promise<{ readonly id: string; readonly inputs: Props; readonly outputs: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ readonly outputs: Props }>;
  delete(id: string, properties: Props): Promise<void>;
}

/** Asks the dynamic host. */
export class HostRequests implements Asked {
  readonly #client: services.ResourceProviderClient;

  constructor(client: services.ResourceProviderClient) {
    this.#client = client;
  }

  async check(olds: Props, news: Props): Promise<Checked> {
    const request = new messages.CheckRequest().setOlds(struct(olds)).setNews(struct(news));
    const reply = await ask<messages.CheckResponse>((done) => this.#client.check(request, done));
    const failures = reply.getFailuresList().map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
    return { inputs: propsOf(reply.getInputs()), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<Difference> {
    const request = new messages.DiffRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const reply = await ask<messages.DiffResponse>((done) => this.#client.diff(request, done));
    return {
      changes: changes[reply.getChanges()],
      replaces: reply.getReplacesList(),
      deleteBeforeReplace: reply.getDeletebeforereplace(),
    };
  }

  async create(properties: Props): Promise<{ readonly id: string; readonly outputs: Props }> {
    const request = new messages.CreateRequest().setProperties(struct(properties));
    const reply = await ask<messages.CreateResponse>((done) => this.#client.create(request, done));
    return { id: reply.getId(), outputs: propsOf(reply.getProperties()) };
  }

  async read(
    id: string,
    properties: Props,
    inputs: Props = {},
  ): Promise<{ readonly id: string; readonly inputs: Props; readonly outputs: Props }> {
    const request = new messages.ReadRequest().setId(id).setProperties(struct(properties)).setInputs(struct(inputs));
    const reply = await ask<messages.ReadResponse>((done) => this.#client.read(request, done));
    return { id: reply.getId(), inputs: propsOf(reply.getInputs()), outputs: propsOf(reply.getProperties()) };
  }

  async update(id: string, olds: Props, news: Props): Promise<{ readonly outputs: Props }> {
    const request = new messages.UpdateRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const reply = await ask<messages.UpdateResponse>((done) => this.#client.update(request, done));
    return { outputs: propsOf(reply.getProperties()) };
  }

  async delete(id: string, properties: Props): Promise<void> {
    const request = new messages.DeleteRequest().setId(id).setProperties(struct(properties));
    await ask<emptyMessages.Empty>((done) => this.#client.delete(request, done));
  }
}
