package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	apiversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/compatibility"
	logs "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	apioptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	scheduleroptions "k8s.io/kubernetes/cmd/kube-scheduler/app/options"
)

// run runs the control plane until the process is ended. It tells the port of the API server once that is ready.
func run(given settings) {
	must(os.Chdir(given.folder))
	endWithParent()
	// Every component applies the same logging.
	logs.ReapplyHandling = logs.ReapplyHandlingIgnoreUnchanged
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	ctx := context.Background()
	startEtcd()

	// Listening here, and not in the API server, gives a free port that nobody else can take meanwhile.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	port := listener.Addr().(*net.TCPAddr).Port

	// The order matters: the manager's command changes the default of a feature gate, which is refused once flags were made of the gates;
	// and the flags that are made last are those that the emulated version is taken from.
	managerCommand := manager.NewControllerManagerCommand()
	schedulerOptions := scheduleroptions.NewOptions()
	go func() { must(serveAPI(ctx, listener, port, given)) }()
	await(port, "/readyz", time.Hour)
	go func() { must(control(ctx, managerCommand, port)) }()
	go func() { must(schedule(ctx, schedulerOptions, port)) }()
	// Without it, no pod can be made. In a new cluster, a controller makes it, unless somebody's webhook does not let it.
	await(port, "/api/v1/namespaces/default/serviceaccounts/default", 10*time.Second)
	tell(map[string]any{"port": port})
	select {}
}

func serveAPI(ctx context.Context, listener net.Listener, port int, given settings) error {
	options := apioptions.NewServerRunOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, set := range options.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	args := []string{
		"--emulated-version=" + minorOf(given.version),
		"--etcd-servers=" + etcdSocket,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--tls-cert-file=server.crt", "--tls-private-key-file=server.key",
		// Certificates of the cluster's own authority are none here: who comes by the front, it has checked.
		"--client-ca-file=internal-ca.crt", "--anonymous-auth=false", "--authorization-mode=RBAC",
		"--requestheader-client-ca-file=front-ca.crt", "--requestheader-allowed-names=front",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--service-cluster-ip-range=" + given.services,
		"--service-account-issuer=" + given.issuer, "--service-account-jwks-uri=" + given.keys,
		"--service-account-key-file=service-accounts.pub", "--service-account-signing-key-file=service-accounts.key",
		"--egress-selector-config-file=egress.json", "--kubelet-preferred-address-types=InternalIP",
		"--endpoint-reconciler-type=none", "--enable-priority-and-fairness=false", "--profiling=false", "--allow-privileged=true",
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := options.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	options.SecureServing.Listener, options.SecureServing.BindPort = listener, port
	completed, err := options.Complete(ctx)
	if err != nil {
		return err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return utilerrors.NewAggregate(errs)
	}
	config, err := apiserver.NewConfig(completed)
	if err != nil {
		return err
	}
	version := &config.Aggregator.GenericConfig.EffectiveVersion
	*version = toldVersion{*version, given.version}
	ready, err := config.Complete()
	if err != nil {
		return err
	}
	server, err := apiserver.CreateServerChain(ready)
	if err != nil {
		return err
	}
	prepared, err := server.PrepareRun()
	if err != nil {
		return err
	}
	if err := prepared.Run(ctx); err != nil {
		return err
	}
	return errors.New("the API server has ended")
}

// toldVersion tells clients the version of the cluster, patch included, as that of the server.
type toldVersion struct {
	compatibility.EffectiveVersion
	version string
}

func (told toldVersion) Info() *apiversion.Info {
	info := told.EffectiveVersion.Info()
	info.GitVersion = "v" + told.version
	info.Major, info.Minor = info.EmulationMajor, info.EmulationMinor
	return info
}

// await waits until the API server answers that something is there, or for so long.
func await(port int, path string, longest time.Duration) {
	config, err := clientcmd.BuildConfigFromFlags(urlOf(port), "admin.kubeconfig")
	must(err)
	client, err := rest.HTTPClientFor(config)
	must(err)
	for end := time.Now().Add(longest); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if response, err := client.Get(urlOf(port) + path); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
	}
}

func control(ctx context.Context, command *cobra.Command, port int) error {
	command.SetArgs([]string{
		"--master=" + urlOf(port), "--kubeconfig=controller-manager.kubeconfig", "--leader-elect=false", "--secure-port=0",
		"--service-account-private-key-file=service-accounts.key", "--use-service-account-credentials=true",
		// Each controller asks for a token first: with the usual limit, the last of them begin 5 seconds later.
		"--kube-api-qps=1000", "--kube-api-burst=1000",
		"--root-ca-file=ca.crt", "--cluster-signing-cert-file=ca.crt", "--cluster-signing-key-file=ca.key",
		"--controllers=*,-nodeipam,-route,-cloud-node-lifecycle,-service-lb-controller",
	})
	return command.ExecuteContext(ctx)
}

func schedule(ctx context.Context, options *scheduleroptions.Options, port int) error {
	flags := pflag.NewFlagSet("kube-scheduler", pflag.ContinueOnError)
	for _, set := range options.Flags.FlagSets {
		flags.AddFlagSet(set)
	}
	args := []string{"--master=" + urlOf(port), "--kubeconfig=scheduler.kubeconfig", "--leader-elect=false", "--secure-port=0"}
	if err := flags.Parse(args); err != nil {
		return err
	}
	completed, created, err := scheduler.Setup(ctx, options)
	if err != nil {
		return err
	}
	return scheduler.Run(ctx, completed, created)
}

// minorOf is 1.32 of 1.32.2.
func minorOf(version string) string {
	return version[:strings.LastIndex(version, ".")]
}

func urlOf(port int) string {
	return fmt.Sprintf("https://127.0.0.1:%d", port)
}
