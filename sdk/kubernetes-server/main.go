// The control plane of one Kubernetes cluster as one process: etcd, the API server, the controllers and the scheduler.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"k8s.io/component-base/version"
)

// sources is the digest of the sources that this was built from, set by the linker.
var sources = "unknown"

func main() {
	command := ""
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	switch command {
	case "version":
		tell(map[string]any{"kubernetes": strings.TrimPrefix(version.Get().GitVersion, "v"), "sources": sources})
	case "run":
		run(settingsFrom(os.Args[2:]))
	default:
		fmt.Fprintln(os.Stderr, "usage: container-platform-kubernetes version | run -folder FOLDER …")
		os.Exit(2)
	}
}

// settings are what differs from cluster to cluster. All else is in the folder.
type settings struct {
	folder, version, services, issuer, keys string
}

func settingsFrom(args []string) settings {
	var given settings
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	flags.StringVar(&given.folder, "folder", "", "where the keys and the data of the cluster are")
	flags.StringVar(&given.version, "version", "", "the version to behave as, such as 1.32.2")
	flags.StringVar(&given.services, "service-ranges", "", "addresses of Services: a range, or one of each family")
	flags.StringVar(&given.issuer, "issuer", "", "the issuer of tokens of service accounts")
	flags.StringVar(&given.keys, "issuer-keys", "", "where the issuer's keys are published")
	// ExitOnError: it does not return an error.
	_ = flags.Parse(args)
	return given
}

// endWithParent ends this process, whatever it is doing, once the one that has started it is gone or closes the pipe.
// Nothing is lost by that: what was acknowledged is in etcd's log.
func endWithParent() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-asked
		os.Exit(0)
	}()
}

// tell writes a line of JSON, for the process that has started this one.
func tell(message map[string]any) {
	must(json.NewEncoder(os.Stdout).Encode(message))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
