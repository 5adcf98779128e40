// Replay applies the entries of a journal to the deployment before them, as Pulumi Cloud does: it reads both as one JSON object from the
// standard input, and writes the new deployment to the standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/pkg/v3/backend"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

type journal struct {
	Base    apitype.UntypedDeployment `json:"base"`
	Entries []apitype.JournalEntry    `json:"entries"`
}

func main() {
	if err := replay(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func replay() error {
	var given journal
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	base, err := stack.UnmarshalUntypedDeployment(context.Background(), &given.Base)
	if err != nil {
		return err
	}
	replayer := backend.NewJournalReplayer(base)
	for _, entry := range given.Entries {
		if err := replayer.Add(entry); err != nil {
			return err
		}
	}
	made, err := replayer.GenerateDeployment()
	if err != nil {
		return err
	}
	deployment, err := made.Deployment.ToUntypedDeployment(made.Version, made.Features)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(deployment)
}
